/**
 * A test agent without the SDK, on Node's own streams: it can send messages that no library would send.
 *
 *   agent.ts <script> [argument…]
 *
 * The agent answers `initialize` and `session/new`. A prompt runs the script; some scripts run at the start.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CASES } from './cases';
import { ROOM_CASES } from './serviceCases';
import { SCRIPTS } from './scripts';
import type { Place } from './wire';
import { Wire } from './wire';

/** One line of `report.json` in the session's folder. */
export interface Played {
  readonly name: string;
  readonly actual: readonly string[];
  /** The agent's own error. */
  readonly broken?: string;
}

const [script = '', ...args] = process.argv.slice(2);
const place = { session: 'session-raw', cwd: '' };

const wire = new Wire((method, params, id) => {
  if (method === 'initialize' && script === 'odd') {
    // The id as a string, without a JSON-RPC version, and with a null error.
    wire.write(`{"id":"${String(id)}","result":{"protocolVersion":1},"error":null}\n`);
  } else if (method === 'initialize') {
    wire.send({ id, result: { protocolVersion: 1 } });
  } else if (method === 'session/new') {
    place.cwd = String(params.cwd);
    wire.send({ id, result: { sessionId: place.session } });
  } else if (method === 'session/prompt') {
    void prompt(id);
  } else if (id !== undefined) {
    wire.send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
process.stdin.on('end', () => process.exit(0));

async function prompt(id: unknown): Promise<void> {
  const run = SCRIPTS[script];
  if (run) {
    await run(wire, place, id, args);
    return;
  }
  const played: Played[] = [];
  for (const each of CASES) {
    played.push({ name: each.name, actual: await wire.play(each, place) });
  }
  for (const { name, answers, run: act } of ROOM_CASES) {
    played.push({ name, ...(await playRoom(act, answers.length)) });
  }
  writeFileSync(path.join(place.cwd, 'report.json'), JSON.stringify(played));
  wire.send({ id, result: { stopReason: 'end_turn' } });
}

async function playRoom(
  act: (wire: Wire, place: Place) => void | Promise<void>,
  expected: number,
): Promise<Pick<Played, 'actual' | 'broken'>> {
  let broken: string | undefined;
  try {
    await act(wire, place);
  } catch (error) {
    broken = String(error);
  }
  return { actual: await wire.take(expected), ...(broken !== undefined && { broken }) };
}
