/** The start of a session whose agent has nothing special: stated once, in a golden text of its own, and left out of all others. */
import assert from 'node:assert/strict';
import { differences } from '../differences';
import { readGolden } from '../golden';
import { TEST_TRANSPORT } from '../remote/bridge';
import { withoutTransport } from '../remote/transportCases';

type Fields = Readonly<Record<string, unknown>>;

export class DefaultStart {
  private readonly fields = new Map<string, Fields>();

  /** @param name a text in `test/golden/scenarios/defaults/`, whose first lines are the start, up to `session_ready` */
  constructor(private readonly name: string) {
    for (const line of withoutTransport(TEST_TRANSPORT, readGolden(`scenarios/defaults/${name}.txt`))) {
      const event = parse(line);
      assert.ok(event, `not an event: ${line}`);
      this.fields.set(event.type, event.fields);
      if (event.type === 'session_ready') {
        return;
      }
    }
    assert.fail(`defaults/${name}.txt has no session that is ready`);
  }

  /** An event's line without the fields of the default start's event of that type; unchanged if that cannot be expressed. */
  special(line: string): string {
    const known = this.fields.get(line.split(' ', 1)[0]!);
    const event = known && parse(line);
    const words = event && differences(event.fields, known);
    return words ? [event.type, ...words].join(' ') : line;
  }

  /** Replaces the whole default start with one line. */
  shorten(lines: readonly string[]): string[] {
    const whole = [...this.fields.keys()];
    const shortened: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const prefix = /^\d+\| /.exec(lines[at]!)?.[0] ?? '';
      if (whole.every((type, index) => lines[at + index] === prefix + type)) {
        shortened.push(`${prefix}(starts as in defaults/${this.name}.txt)`);
        at += whole.length - 1;
      } else {
        shortened.push(lines[at]!);
      }
    }
    return shortened;
  }
}

/** Undefined for a line that cannot be parsed back, e.g. one with characters that a golden text shows as numbers. */
function parse(line: string): { readonly type: string; readonly fields: Fields } | undefined {
  const [type, ...words] = line.split(/ (?=\w+=)/);
  try {
    const entries = words.map((word) => [word.slice(0, word.indexOf('=')), JSON.parse(word.slice(word.indexOf('=') + 1))] as const);
    const again = [type, ...entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' ');
    return again === line ? { type: type!, fields: Object.fromEntries(entries) } : undefined;
  } catch {
    return undefined;
  }
}
