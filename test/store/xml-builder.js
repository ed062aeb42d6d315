/**
 * Stands for `@aws-sdk/xml-builder` in tests inside workerd, as the alias of `wrangler.toml` does in the Worker:
 * the build for browsers needs a DOMParser.
 */
export * from "../../node_modules/@aws-sdk/xml-builder/dist-es/XmlNode.js";
export * from "../../node_modules/@aws-sdk/xml-builder/dist-es/XmlText.js";
export * from "../../node_modules/@aws-sdk/xml-builder/dist-es/xml-parser.js";
