import type { Language } from './languages';
import type { LineTokens } from './messages';

/** The limit for one text, and for all together, in UTF-16 units. */
const MAX_TEXT = 64 * 1024;
const MAX_TOTAL = 512 * 1024;

/** The tokens of blocks that have left the screen, so that they are coloured at once when the user scrolls back. */
export class RecentTokens {
  private readonly kept = new Map<string, { readonly length: number; readonly lines: readonly LineTokens[] }>();
  private total = 0;

  put(language: Language, text: string, lines: readonly LineTokens[]): void {
    if (text.length > MAX_TEXT) {
      return;
    }
    const key = `${language}\n${text}`;
    this.remove(key);
    this.kept.set(key, { length: text.length, lines });
    this.total += text.length;
    for (const oldest of this.kept.keys()) {
      if (this.total <= MAX_TOTAL) {
        break;
      }
      this.remove(oldest);
    }
  }

  get(language: Language, text: string): readonly LineTokens[] | undefined {
    return text.length > MAX_TEXT ? undefined : this.kept.get(`${language}\n${text}`)?.lines;
  }

  clear(): void {
    this.kept.clear();
    this.total = 0;
  }

  private remove(key: string): void {
    this.total -= this.kept.get(key)?.length ?? 0;
    this.kept.delete(key);
  }
}
