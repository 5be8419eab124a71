/** The view's words. The page carries a bundle from English to the user's language; English is the key and the fallback. */
let bundle: Readonly<Record<string, string>> = {};

/** Takes the bundle as the JSON text that the page holds; anything that is not a flat map of strings leaves English in place. */
export function loadWords(json: string | null | undefined): void {
  try {
    const parsed: unknown = JSON.parse(json || '{}');
    bundle = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, string>) : {};
  } catch {
    bundle = {};
  }
}

/** `message` in the user's language, with each `{name}` replaced by that parameter. A placeholder without a value stays readable. */
export function t(message: string, params?: Readonly<Record<string, string | number>>): string {
  const translated = Object.hasOwn(bundle, message) ? bundle[message] : undefined;
  const words = typeof translated === 'string' ? translated : message;
  if (!params) {
    return words;
  }
  return words.replace(/\{(\w+)\}/g, (placeholder, name: string) => (Object.hasOwn(params, name) ? String(params[name]) : placeholder));
}
