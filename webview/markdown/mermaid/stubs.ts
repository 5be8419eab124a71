/**
 * Replaces Mermaid's dependencies that a drawing here does not need: KaTeX, the layouts of ELK, and DOMPurify. Drawings are never parsed as HTML, and
 * are written from a list of allowed elements. Tags in a label are text, as in `List<T>`; only line breaks are recognized.
 */
const nothing = {
  sanitize: (text: unknown) =>
    String(text)
      .split(/(<\/?br\s*\/?>)/i)
      .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('>', '&gt;')))
      .join(''),
  addHook: () => {},
  isSupported: true,
};

export default nothing;
