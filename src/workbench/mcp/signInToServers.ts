/** Signs the user in at MCP servers: the browser, and its way back to this window. Loaded on demand. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ServerSignIns, SignInSubject } from '../../application/mcp/serverSignIns';
import { type InertText, inertLine } from '../../application/shared/escape';
import type { Clock } from '../../core/platform/clock';
import { answerOf, CALLBACK_PATH, listenForCallback } from '../../mcp/oauth/callback';
import { isLoopback } from '../../core/platform/privateAddress';
import { RefusedAddress } from '../../mcp/oauth/addresses';
import { newToken } from '../../mcp/transports/token';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface SignInDependencies {
  readonly activity: Pick<UserActivity, 'during'>;
  readonly clock: Clock;
}

/** The way by which the browser returns to this window. */
interface WayBack {
  readonly redirectUrl: string;
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/** ms until a sign-in without an answer ends. */
const MAX_MS = 10 * 60_000;
const MAX_NAME = 100;
const HANDLER_PATH = '/mcp-sign-in';
const EXTENSION_ID = 'acp-host.acp-host';

/** Signs in at each server. The user can cancel each; a failure of one affects no other. */
export async function signInToServers(
  subjects: readonly SignInSubject[],
  signIns: Pick<ServerSignIns, 'earlier' | 'keep'>,
  deps: SignInDependencies,
): Promise<void> {
  let isKept = true;
  for (const subject of subjects) {
    const name = inertLine(subject.name, MAX_NAME);
    const host = inertLine(new URL(subject.server.url).host, MAX_NAME);
    const cancelled = new AbortController();
    const options = {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('Signing in to MCP server {name} ({host}) in the browser…', { name, host }),
    };
    try {
      isKept =
        (await deps.activity.during(() =>
          window.withProgress(options, async (_, token) => {
            token.onCancellationRequested(() => cancelled.abort());
            return signInToServer(subject, signIns, deps.clock, cancelled);
          }),
        )) && isKept;
    } catch (error) {
      if (!cancelled.signal.aborted) {
        void window.showErrorMessage(t("Couldn't sign in to MCP server {name}: {reason}", { name, reason: reasonOf(error) }));
      }
    }
  }
  if (!isKept) {
    void window.showWarningMessage(t("VS Code's secret storage doesn't work. The sign-in is lost when the window closes."));
  }
}

async function signInToServer(
  subject: SignInSubject,
  signIns: Pick<ServerSignIns, 'earlier' | 'keep'>,
  clock: Clock,
  cancelled: AbortController,
): Promise<boolean> {
  const { signIn } = await import('../../mcp/oauth/flow');
  const { server, oauth } = subject;
  const earlier = await signIns.earlier(subject);
  const state = newToken();
  const back = await wayBack(state, oauth.callbackPort, earlier?.redirectUrl);
  const timeout = clock.after(MAX_MS, () => cancelled.abort());
  const aborted = new Promise<never>((_, reject) => cancelled.signal.addEventListener('abort', () => reject(new Error('cancelled'))));
  aborted.catch(() => undefined);
  try {
    const credentials = await signIn({
      server,
      oauth,
      redirectUrl: back.redirectUrl,
      state,
      ...(earlier && { earlier }),
      open: async (url) => {
        // Passed as a string, because a `Uri` would rewrite some percent escapes.
        if (!(await vscode.env.openExternal(url.href as unknown as vscode.Uri))) {
          cancelled.abort();
        }
      },
      answer: () => Promise.race([back.answer, aborted]),
      fetch: (url, init) => fetch(url, init),
      signal: cancelled.signal,
      now: () => clock.now(),
    });
    return await signIns.keep(subject, credentials);
  } finally {
    timeout.dispose();
    back.close();
  }
}

/**
 * Chooses the way back. VS Code on the desktop forwards a port of a remote machine to the user's own, where the browser runs, and servers accept
 * addresses on loopback. In a browser, nothing on the user's machine listens, so the page of VS Code itself takes the answer.
 */
async function wayBack(state: string, configured: number | undefined, earlier: string | undefined): Promise<WayBack> {
  if (vscode.env.uiKind === vscode.UIKind.Web) {
    return handledByUri(state);
  }
  const port = earlier !== undefined && URL.canParse(earlier) && isLoopback(new URL(earlier).hostname) ? Number(new URL(earlier).port) : 0;
  const callback = await listenForCallback(
    configured === undefined ? [...(port > 0 ? [port] : []), 0] : [configured],
    state,
    t('You are signed in. You can close this page and return to VS Code.'),
  );
  const own = `http://127.0.0.1:${callback.port}${CALLBACK_PATH}`;
  if (vscode.env.remoteName === undefined) {
    return { ...callback, redirectUrl: own };
  }
  const external = (await vscode.env.asExternalUri(vscode.Uri.parse(own, true))).toString(true);
  return { ...callback, redirectUrl: external };
}

/** One answer to an address of VS Code, which its web page and its desktop both take. */
async function handledByUri(state: string): Promise<WayBack> {
  const nonce = randomUUID();
  let handler: vscode.Disposable | undefined;
  const answer = new Promise<URLSearchParams>((resolve) => {
    handler = vscode.window.registerUriHandler({
      handleUri: ({ path, query }) => {
        // VS Code has decoded the query once, so a plus sign is itself.
        const parameters = path === `${HANDLER_PATH}/${nonce}` ? answerOf(query.replaceAll('+', '%2B'), state) : undefined;
        if (parameters) {
          resolve(parameters);
        }
      },
    });
  });
  const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${EXTENSION_ID}${HANDLER_PATH}/${nonce}`, true);
  const external = await vscode.env.asExternalUri(own);
  return { redirectUrl: external.toString(true), answer, close: () => void handler?.dispose() };
}

function reasonOf(error: unknown): InertText {
  if (error instanceof RefusedAddress) {
    return t('its address of the sign-in is refused ({address})', { address: inertLine(error.address, 200) });
  }
  return inertLine(error instanceof Error ? error.message : String(error), 300);
}
