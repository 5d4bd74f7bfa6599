import { expect, test } from "bun:test";
import { charsetIn, prescan } from "./declared.ts";

test.each([
  ['<meta charset="windows-1256">', "windows-1256"],
  ["<META CHARSET=Windows-1256>", "windows-1256"],
  ["<meta charset='windows-1256'/>", "windows-1256"],
  ["<meta\ncharset = windows-1256 >", "windows-1256"],
  ['<meta/charset="windows-1256">', "windows-1256"],
  ['<meta name="x" charset="windows-1256">', "windows-1256"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1256">', "windows-1256"],
  ['<meta content="text/html; charset=windows-1256" http-equiv="content-type">', "windows-1256"],
  ['<!doctype html><html lang="ar"><head><title>x</title><meta charset="windows-1256">', "windows-1256"],
  ['<!-- <meta charset="koi8-r"> --><meta charset="windows-1256">', "windows-1256"],
  ['<!--> <meta charset="windows-1256">', "windows-1256"],
  ['<!--[if IE]><meta charset="koi8-r"><![endif]--><meta charset="windows-1256">', "windows-1256"],
  [`<script>var a = '<meta charset="koi8-r">'</script><meta charset="windows-1256">`, "windows-1256"],
  ['<style>/* <meta charset="koi8-r"> */</style><meta charset="windows-1256">', "windows-1256"],
  ['<title><meta charset="koi8-r"></title><meta charset="windows-1256">', "windows-1256"],
  ['<meta name="description" content="text/html; charset=koi8-r"><meta charset="windows-1256">', "windows-1256"],
  [`<a title='<meta charset="koi8-r">'><meta charset="windows-1256">`, "windows-1256"],
  ['<?php <meta charset="koi8-r" ?><meta charset="windows-1256">', "windows-1256"],
  ['</meta charset="koi8-r"><meta charset="windows-1256">', "windows-1256"],
  ['<metadata charset="koi8-r"><meta charset="windows-1256">', "windows-1256"],
  ['<!-- <meta charset="koi8-r"> -->', undefined],
  ['<!-- <meta charset="koi8-r">', undefined],
  ['<meta property="og:description" content="how to set charset=koi8-r">', undefined],
  ["<p>charset=koi8-r</p>", undefined],
  ["1 < 2 <", undefined],
  ["", undefined],
])("%s declares %p", (html, charset) => {
  expect(prescan(html)).toBe(charset);
});

test.each([
  ["text/html; charset=UTF-8", "utf-8"],
  ['text/html;charset="windows-1256"', "windows-1256"],
  ["text/html; charset = 'windows-1256' ; x=y", "windows-1256"],
  ["text/html; charset charset=utf-8", "utf-8"],
  ["text/html; charset=", undefined],
  ["text/html", undefined],
])("the content type %s has the charset %p", (type, charset) => {
  expect(charsetIn(type)).toBe(charset);
});

test.each(["<", "<!--", "<meta ", "<meta a=", "<a b='", "charset", "charset=\t", "<script>", "</", "<meta charset "])(
  "%j over and over is read in passing",
  (part) => {
    const before = process.cpuUsage();
    prescan(part.repeat(100_000));
    charsetIn(part.repeat(100_000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  },
);
