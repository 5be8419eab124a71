import { inertly } from '../../../src/application/shared/escape';
import type { Translate, TranslateVerbatim } from '../../../src/application/shared/translate';

/** Translates like VS Code without a bundle. A placeholder without a value is a mistake in the code under test. */
export const englishVerbatim: TranslateVerbatim = (message, args) =>
  message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (!args || !Object.hasOwn(args, name)) {
      throw new Error(`no value for ${placeholder} in "${message}"`);
    }
    return String(args[name]);
  });

export const english: Translate = inertly(englishVerbatim);
