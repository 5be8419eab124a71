/** The localized strings of the view. The page contains a bundle from English to the user's language. English is the key and the fallback. */
let bundle: Readonly<Record<string, string>> = {};

/** Loads the bundle from the JSON text in the page. If it is not a flat map of strings, the page stays in English. */
export function loadStrings(json: string | null | undefined): void {
  try {
    const parsed: unknown = JSON.parse(json || '{}');
    bundle = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    bundle = {};
  }
}

/** Returns `message` in the user's language, with each `{name}` replaced by that parameter. A placeholder without a value is kept. */
export function t(message: string, params?: Readonly<Record<string, string | number>>): string {
  const translated = Object.hasOwn(bundle, message) ? bundle[message] : undefined;
  const strings = typeof translated === 'string' ? translated : message;
  if (!params) {
    return strings;
  }
  return strings.replace(/\{(\w+)\}/g, (placeholder, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : placeholder));
}
