import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { cutBlocks, isWithin } from "./blocks.ts";

const cut = (body: string) => cutBlocks(parsePage(`<html><body>${body}</body></html>`));
const texts = (body: string) => cut(body).blocks.map(({ text }) => text);

test("a page is cut where block elements begin and end, not at inline ones", () => {
  expect(texts("<div>one <b>bold</b><p>two</p>three</div><ul><li>four<li>five</ul>")).toEqual([
    "one bold",
    "two",
    "three",
    "four",
    "five",
  ]);
});

test("one line break is a line feed, two end the block", () => {
  expect(texts("<p>one<br>two<br> <br>three</p>")).toEqual(["one\ntwo", "three"]);
});

test("what no reader sees is left out", () => {
  expect(
    texts("<script>var x</script><style>p{}</style><noscript>n</noscript><svg><text>s</text></svg><p>seen</p>"),
  ).toEqual(["seen"]);
});

test("white space is folded, zero-width characters and soft hyphens are gone", () => {
  expect(texts("<p>  a\n\n b&nbsp;\u200b c\u00ad </p><p> \u00a0 </p>")).toEqual(["a b c"]);
  expect(texts("<p>har&shy;bour, har\ufeffbour, har<wbr>bour, المهند&#x2060;سون</p>")).toEqual([
    "harbour, harbour, harbour, المهندسون",
  ]);
});

test("links and emphasis are counted in characters", () => {
  const [block] = cut('<p><a href="/1">0123</a>456<b>789</b></p>').blocks;
  expect(block).toMatchObject({ chars: 10, linkChars: 4, links: 1, emphasis: 0.3 });
});

test("containers know their parents and the blocks under them", () => {
  const { containers, blocks } = cut("<main><p>one</p><p>two</p></main><footer>three</footer>");
  const main = containers.find(({ tag }) => tag === "main");
  expect(main).toMatchObject({ first: 0, last: 2 });
  expect(blocks.map(({ container }) => containers[container]?.tag)).toEqual(["p", "p", "footer"]);
  expect(containers.every(({ parent }, i) => parent < i)).toBe(true);
});

test("depth and number of blocks are bounded", () => {
  const deep = cut(`${"<div>".repeat(3000)}end`);
  expect(Math.max(...deep.containers.map(({ depth }) => depth))).toBeLessThanOrEqual(400);
  expect(deep.blocks.map(({ text }) => text)).toEqual(["end"]);
  expect(cut("<p>x</p>".repeat(20_100)).blocks.length).toBeLessThanOrEqual(20_000);
});

test("a text knows what of it is shown, and a container whether it or one around it is hidden", () => {
  const { blocks, containers } = cut(
    '<p>seen <span hidden>not <b>at all</b></span>again</p><div style="display:none"><section><p>gone</p></section></div>',
  );
  expect(blocks.map(({ text, shown }) => [text, shown])).toEqual([
    ["seen not at allagain", "seen again"],
    ["gone", "gone"],
  ]);
  const hidden = containers.filter((container) => container.hidden).map(({ tag }) => tag);
  expect(hidden).toEqual(["div", "section", "p"]);
});

test("a break before white space and a break ends a block, one before text does not", () => {
  expect(texts("<div>a<br>b <i>c</i><br>\n<br>d<br></div>")).toEqual(["a\nb c", "d"]);
  expect(texts("<div><br><br>a</div>")).toEqual(["a"]);
});

test("links and emphasis count where they lie in one another, and end where they end", () => {
  const [first, second] = cut('<p><b>01<i>23</i></b>45<a href="/1">6</a><a href="/2">7</a></p><p>89</p>').blocks;
  expect(first).toMatchObject({ chars: 8, linkChars: 2, links: 2, emphasis: 0.5 });
  expect(second).toMatchObject({ chars: 2, linkChars: 0, links: 0, emphasis: 0 });
  // White space that is folded is folded in links as well.
  expect(cut('<p><a href="/1">0    1</a></p>').blocks[0]).toMatchObject({ chars: 3, linkChars: 3 });
});

test("a container is within those around it, and itself", () => {
  const tree = cut("<article><section><p>x</p></section></article><p>y</p>");
  const [x, y] = tree.blocks;
  const within = (container: number | undefined, ...tags: string[]) => isWithin(tree, container ?? -1, new Set(tags));
  expect([within(x?.container, "article"), within(x?.container, "p"), within(x?.container, "main")]).toEqual([
    ...[true, true, false],
  ]);
  expect([within(y?.container, "article"), within(y?.container, "#page")]).toEqual([false, true]);
});
