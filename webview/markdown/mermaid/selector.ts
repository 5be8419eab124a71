/** The selectors that Mermaid, D3 and the style sheets of drawings use. A selector that is not supported matches nothing. */
import { isElement, type TreeElement } from './tree';

type Test = (element: TreeElement, scope: TreeElement | undefined) => boolean;

interface Compound {
  /** The combinator before this compound. */
  readonly combinator: string;
  readonly tests: readonly Test[];
}

export interface Selector {
  readonly compounds: readonly Compound[];
  /** The specificity: ids, then classes, then names. The larger one wins. */
  readonly weight: number;
}

const MAX_KEPT = 2000;
const kept = new Map<string, readonly Selector[]>();

/** Parses `text`, a list of selectors. */
export function parseSelectors(text: string): readonly Selector[] {
  let selectors = kept.get(text);
  if (!selectors) {
    if (kept.size > MAX_KEPT) {
      kept.clear();
    }
    selectors = splitList(text).flatMap((each) => parse(each) ?? []);
    kept.set(text, selectors);
  }
  return selectors;
}

export function matches(element: TreeElement, text: string): boolean {
  return parseSelectors(text).some((selector) => fits(element, selector, undefined));
}

/** Returns the descendants of `root` that match, in document order. */
export function find(root: TreeElement, text: string, onlyFirst: boolean): TreeElement[] {
  const selectors = parseSelectors(text);
  const found: TreeElement[] = [];
  const look = (element: TreeElement): boolean => {
    for (const child of element.childNodes) {
      if (!isElement(child)) {
        continue;
      }
      if (selectors.some((selector) => fits(child, selector, root))) {
        found.push(child);
        if (onlyFirst) {
          return true;
        }
      }
      if (look(child)) {
        return true;
      }
    }
    return false;
  };
  look(root);
  return found;
}

export function fits(element: TreeElement, { compounds }: Selector, scope: TreeElement | undefined): boolean {
  return fitsFrom(element, compounds, compounds.length - 1, scope);
}

function fitsFrom(element: TreeElement, compounds: readonly Compound[], index: number, scope: TreeElement | undefined): boolean {
  const { combinator, tests } = compounds[index]!;
  if (!tests.every((test) => test(element, scope))) {
    return false;
  }
  if (index === 0) {
    return combinator === '' || (combinator === '>' && element.parentNode === scope);
  }
  switch (combinator) {
    case '>':
      return element.parentNode !== null && fitsFrom(element.parentNode, compounds, index - 1, scope);
    case '+':
    case '~': {
      const before = element.parentNode?.children ?? [];
      const earlier = before.slice(0, before.indexOf(element)).reverse();
      return (combinator === '+' ? earlier.slice(0, 1) : earlier).some((sibling) => fitsFrom(sibling, compounds, index - 1, scope));
    }
    default:
      for (let above = element.parentNode; above; above = above.parentNode) {
        if (fitsFrom(above, compounds, index - 1, scope)) {
          return true;
        }
      }
      return false;
  }
}

const PART =
  /^(?:(\*)|((?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+)|#((?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+)|\.((?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\.)+)|\[\s*([\w:-]+)\s*(?:([~^$*|]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+))\s*)?\]|:([\w-]+)(?:\(([^()]*)\))?)/;

function parse(text: string): Selector | undefined {
  const compounds: Compound[] = [];
  let weight = 0;
  let rest = text.trim();
  let combinator = '';
  while (rest) {
    const tests: Test[] = [];
    for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
      // An element name must come first.
      if (part[2] !== undefined && tests.length > 0) {
        return undefined;
      }
      const [, any, name, id, className, attribute, operator, double, single, bare, pseudo, argument] = part;
      weight += id ? 10_000 : className || attribute || pseudo ? 100 : name ? 1 : 0;
      if (any) {
        tests.push(() => true);
      } else if (name) {
        tests.push(nameTest(plain(name)));
      } else if (id) {
        tests.push(equals('id', plain(id)));
      } else if (className) {
        tests.push(wordTest('class', plain(className)));
      } else if (attribute) {
        tests.push(attributeTest(attribute, operator, plain(double ?? single ?? bare ?? '')));
      } else {
        tests.push(pseudoTest(pseudo!, argument));
      }
      rest = rest.slice(part[0].length);
    }
    if (tests.length === 0 && !(compounds.length === 0 && /^[>+~]/.test(rest))) {
      return undefined;
    }
    if (tests.length > 0) {
      compounds.push({ combinator, tests });
    }
    const next = /^\s*([>+~])\s*|^\s+/.exec(rest);
    if (!next && rest) {
      return undefined;
    }
    combinator = next?.[1] ?? ' ';
    rest = rest.slice(next?.[0].length ?? 0);
  }
  return compounds.length > 0 ? { compounds, weight } : undefined;
}

function nameTest(name: string): Test {
  const lower = name.toLowerCase();
  return (element) => element.localName === name || element.localName.toLowerCase() === lower;
}

function equals(name: string, value: string): Test {
  return (element) => element.getAttribute(name) === value;
}

function wordTest(name: string, word: string): Test {
  return (element) => (element.getAttribute(name) ?? '').split(/\s+/).includes(word);
}

function attributeTest(name: string, operator: string | undefined, value: string): Test {
  switch (operator) {
    case undefined:
      return (element) => element.hasAttribute(name);
    case '=':
      return equals(name, value);
    case '~=':
      return wordTest(name, value);
    case '^=':
      return (element) => value !== '' && (element.getAttribute(name) ?? '').startsWith(value);
    case '$=':
      return (element) => value !== '' && (element.getAttribute(name) ?? '').endsWith(value);
    case '*=':
      return (element) => value !== '' && (element.getAttribute(name) ?? '').includes(value);
    default:
      return () => false;
  }
}

function pseudoTest(name: string, argument: string | undefined): Test {
  switch (name) {
    case 'scope':
      return (element, scope) => element === scope;
    case 'first-child':
      return (element) => element.parentNode?.children[0] === element;
    case 'last-child':
      return (element) => element.parentNode?.children.at(-1) === element;
    case 'nth-child':
      return (element) => element.parentNode?.children[Number(argument) - 1] === element;
    case 'not':
      return (element) => !matches(element, argument ?? '');
    default:
      return () => false;
  }
}

/** Removes the escapes. */
function plain(name: string): string {
  return name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_all, hex: string | undefined, character: string) =>
    hex ? codePoint(parseInt(hex, 16)) : character,
  );
}

function codePoint(value: number): string {
  return value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : '\ufffd';
}

/** Splits at the commas that are not in brackets. */
function splitList(text: string): string[] {
  return text.match(/(?:\[(?:"[^"]*"|'[^']*'|[^\]])*\]|\([^()]*\)|\\.|[^,[(\\])+/g) ?? [];
}
