/** Resolves the properties that position text, from an element's style and the drawing's style sheet. */
import { fits, parseSelectors, type Selector } from './selector';
import { parseDeclarations, parseRules } from './style';
import type { TreeElement } from './tree';

/** The properties that determine the position of text. */
const LAYOUT = [
  'font',
  'font-size',
  'font-family',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
  'alignment-baseline',
  'display',
] as const;
type LayoutProperty = (typeof LAYOUT)[number];

interface LayoutRule {
  readonly selector: Selector;
  readonly values: ReadonlyMap<string, { readonly value: string; readonly important: boolean }>;
}

/** Parsed sheets by their text; a drawing has one or two. */
const sheets = new Map<string, readonly LayoutRule[]>();

function layoutRules(sheet: string): readonly LayoutRule[] {
  let rules = sheets.get(sheet);
  if (!rules) {
    if (sheets.size > 8) {
      sheets.clear();
    }
    rules = parseRules(sheet).flatMap(({ selector, body }) => {
      const values = new Map(
        parseDeclarations(body).flatMap(([name, value, important]) =>
          (LAYOUT as readonly string[]).includes(name) ? [[name, { value, important }] as const] : [],
        ),
      );
      return values.size > 0 ? parseSelectors(selector).map((each) => ({ selector: each, values })) : [];
    });
    // Among rules of the same weight the later one wins.
    rules = rules.toSorted((a, b) => a.selector.weight - b.selector.weight);
    sheets.set(sheet, rules);
  }
  return rules;
}

/** The value that the drawing sets for `property` on this element itself; undefined without one. */
export function ownStyle(element: TreeElement, property: LayoutProperty): string | undefined {
  const { declarations } = element;
  const inline = declarations.get(property);
  if (inline && declarations.isImportant(property)) {
    return inline;
  }
  let found: string | undefined;
  let important = false;
  for (const rule of rulesFor(element)) {
    const said = rule.values.get(property);
    if (!said || (important && !said.important) || !fits(element, rule.selector, undefined)) {
      continue;
    }
    found = said.value;
    important ||= said.important;
  }
  return (important ? found : inline || found) ?? element.attributeMap.get(property);
}

function rulesFor(element: TreeElement): readonly LayoutRule[] {
  let root: TreeElement | undefined;
  for (let node: TreeElement | null = element; node; node = node.parentNode) {
    if (node.localName === 'svg') {
      root = node;
    }
  }
  return root?.children.flatMap((child) => (child.localName === 'style' ? layoutRules(child.textContent) : [])) ?? [];
}

/** The {@link ownStyle} of the element or its nearest ancestor that has one. */
export function inheritedStyle(element: TreeElement, property: LayoutProperty): string | undefined {
  for (let node: TreeElement | null = element; node; node = node.parentNode) {
    const value = ownStyle(node, property);
    if (value !== undefined && value !== 'inherit') {
      return value;
    }
  }
  return undefined;
}
