export { childrenOf, firstChild, inherited, readXml, textUnder, type XmlElement } from "./read-xml.ts";
