/** Since when the previews of held writes are shown. An answer right after a preview came into sight was meant for what it covered. */
import { GUARD_MS } from '../../core/model/guard';

export class ShownPreviews {
  private since = new Map<string, number>();

  /** @param addresses of the previews that are in sight; @param now ms */
  set(addresses: readonly string[], now: number): void {
    this.since = new Map(addresses.map((address) => [address, this.since.get(address) ?? now]));
  }

  /** True when the preview has been in sight for {@link GUARD_MS}. */
  isReadable(address: string, now: number): boolean {
    return now - (this.since.get(address) ?? Infinity) >= GUARD_MS;
  }
}
