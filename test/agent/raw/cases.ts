/**
 * The bytes that an agent may write, and the answers that it must get. They follow the JSON-RPC 2.0 specification with its examples, and the
 * protocol's pages "Transports", "Cancellation", "Extensibility" and "Overview" (error handling). Played twice: against the dialect over a transport
 * in memory (test/unit/acp/v1/rawCases.test.ts), and by an agent's process against the whole stack (raw.test.ts beside this file).
 */
import { UNPARSABLE, NOISE, NOTIFICATIONS, RESPONSES, CANCELLATIONS, BYTES, DEEP } from './lineCases';
import type { Case } from './rawCase';
import { IDS, REQUESTS, VERSIONS, INVALID } from './requestCases';

export const CASES: readonly Case[] = [
  ...IDS,
  ...REQUESTS,
  ...VERSIONS,
  ...INVALID,
  ...UNPARSABLE,
  ...NOISE,
  ...NOTIFICATIONS,
  ...RESPONSES,
  ...CANCELLATIONS,
  ...BYTES,
  ...DEEP,
];
