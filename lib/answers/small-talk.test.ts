import { expect, test } from "bun:test";
import { smallTalk } from "./small-talk.ts";

test.each([
  ["مرحبا", "greeting"],
  ["مرحباً!", "greeting"],
  ["السَّلامُ عليكم ورحمة الله 👋", "greeting"],
  ["Hi there! How are you?", "greeting"],
  ["صباح الخير، كيف حالك؟", "greeting"],
  ["شكرا جزيلا", "thanks"],
  ["Hello, who are you?", "assistant"],
  ["مرحبا، من أنت؟", "assistant"],
  ["What can you do?", "assistant"],
  ["هل أنت روبوت؟", "assistant"],
] as const)("%s is %s", (message, kind) => expect(smallTalk(message)).toBe(kind));

test.each([
  "مرحبا، من فاز بالكأس؟",
  "Hi, what happened in Tyre?",
  "من أنت لتحكم بين الناس",
  "Who are you voting for",
  "thanks to whom was the bridge built",
  "سلام",
  "",
  "؟!",
  "hello ".repeat(30),
])("%s asks something, or says nothing", (message) => {
  if (message === "سلام") expect(smallTalk(message)).toBe("greeting");
  else expect(smallTalk(message)).toBeUndefined();
});
