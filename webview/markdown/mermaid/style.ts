/** Parses the styles of a drawing: declarations and the rules of a sheet. */

/** The declared properties; later declarations win. */
export class Declarations {
  private readonly values = new Map<string, string>();
  private readonly important = new Set<string>();

  get cssText(): string {
    return [...this.values].map(([name, value]) => `${name}: ${value}${this.important.has(name) ? ' !important' : ''};`).join(' ');
  }
  set cssText(text: string) {
    this.values.clear();
    this.important.clear();
    for (const [name, value, important] of parseDeclarations(text)) {
      this.set(name, value, important);
    }
  }
  get size(): number {
    return this.values.size;
  }
  get(name: string): string {
    return this.values.get(name) ?? '';
  }
  isImportant(name: string): boolean {
    return this.important.has(name);
  }
  set(name: string, value: string, important: boolean): void {
    if (value === '') {
      this.values.delete(name);
    } else {
      this.values.set(name, value);
    }
    if (important) {
      this.important.add(name);
    } else {
      this.important.delete(name);
    }
  }
}

/** `element.style`, with its methods and its properties. */
export function styleProxy(declarations: Declarations): Record<string, unknown> {
  const methods: Record<string, unknown> = {
    setProperty: (name: string, value: unknown, priority = '') =>
      declarations.set(name, cleanValue(String(value ?? '')), priority === 'important'),
    getPropertyValue: (name: string) => declarations.get(name),
    removeProperty: (name: string) => declarations.set(name, '', false),
  };
  return new Proxy(methods, {
    get: (_target, name) => {
      if (name === 'cssText') {
        return declarations.cssText;
      }
      if (name === 'length') {
        return declarations.size;
      }
      return typeof name === 'string' ? (methods[name] ?? declarations.get(kebab(name))) : undefined;
    },
    set: (_target, name, value) => {
      if (name === 'cssText') {
        declarations.cssText = String(value);
      } else if (typeof name === 'string') {
        declarations.set(kebab(name), cleanValue(String(value ?? '')), false);
      }
      return true;
    },
  });
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** Rejects a value that would end its declaration early. */
const cleanValue = (value: string) => (/[;{}]/.test(value) ? '' : value.trim());

/** Name, value, and whether it is important. */
export function parseDeclarations(text: string): [string, string, boolean][] {
  const found: [string, string, boolean][] = [];
  for (const each of text.split(';')) {
    const match = /^\s*([\w-]+)\s*:\s*([^\s{}][^{}]*?)\s*(!\s*important)?\s*$/i.exec(each);
    if (match) {
      found.push([match[1]!.startsWith('--') ? match[1]! : match[1]!.toLowerCase(), match[2]!, match[3] !== undefined]);
    }
  }
  return found;
}

export interface Rule {
  readonly selector: string;
  readonly body: string;
}

/** The plain rules of a sheet. At-rules are skipped with their content. */
export function parseRules(sheet: string): Rule[] {
  const rules: Rule[] = [];
  const text = sheet.replace(/\/\*[^]*?\*\//g, '');
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    if (open < 0) {
      break;
    }
    const selector = text
      .slice(at, open)
      .replace(/^[^]*[;}]/, '')
      .trim();
    if (selector.startsWith('@')) {
      at = endOfBlock(text, open);
      continue;
    }
    const close = text.indexOf('}', open);
    if (close < 0) {
      break;
    }
    rules.push({ selector, body: text.slice(open + 1, close) });
    at = close + 1;
  }
  return rules;
}

function endOfBlock(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') {
      depth++;
    } else if (text[at] === '}' && --depth === 0) {
      return at + 1;
    }
  }
  return text.length;
}
