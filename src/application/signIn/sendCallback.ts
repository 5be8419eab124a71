/** Requests a sign-in's callback at the local port of the agent, in place of a browser that could not reach it. */
import { request } from 'node:http';
import type { PastedCallback } from './signInOutput';

const TIMEOUT_MS = 15_000;

/** Resolves to the status of the answer. No redirect is followed. Rejects when no process answers. */
export function sendCallback({ port, host, path }: PastedCallback): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method: 'GET', headers: { host: `localhost:${port}` }, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)));
    sent.on('error', reject);
    sent.end();
  });
}
