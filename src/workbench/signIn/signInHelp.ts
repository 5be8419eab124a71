/** Helps a sign-in whose page is opened on another machine, or that shows a code: forwarded ports, copied codes, pasted addresses. */
import * as vscode from 'vscode';
import { sendCallback } from '../../application/signIn/sendCallback';
import { type Callback, pastedCallback, type SignInFacts, SignInOutput } from '../../application/signIn/signInOutput';
import { type InertText, inertLine } from '../../application/shared/escape';
import { commands } from '../../application/shared/ids';
import { isOwnPort } from '../../util/processes/portOwners';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

const MAX_TEXT = 200;
/** The ports to which sign-in pages of this window return. */
const expected = new Set<number>();

/** True when the browser runs on another machine than the agent. */
function isBrowserElsewhere(): boolean {
  return vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
}

/**
 * Forwards the port to which a page returns, before the page is opened, and offers the code for it. Never rejects.
 * @param message the agent's text about the page
 */
export async function preparePage(address: string, message: string): Promise<void> {
  const { callback, device } = new SignInOutput().push(`${message}\n${address}\n`);
  if (callback) {
    await forward(callback);
  }
  if (device) {
    void offerCode(device.code);
  }
}

async function offerCode(code: string): Promise<void> {
  const copy = t('Copy Code');
  if ((await window.showInformationMessage(t('The code for the page: {code}', { code: inertLine(code, MAX_TEXT) }), copy)) === copy) {
    await vscode.env.clipboard.writeText(code);
  }
}

/** Acts on new facts in the output of a sign-in program. @param title the title of the sign-in */
export function helpSignIn(title: InertText, { callback, device }: SignInFacts): void {
  if (callback) {
    void forward(callback);
  }
  if (device) {
    void showCode(title, device);
  }
}

async function forward({ port }: Callback): Promise<void> {
  expected.add(port);
  if (!isBrowserElsewhere()) {
    return;
  }
  const local = vscode.Uri.parse(`http://localhost:${port}`);
  // VS Code forwards the port for this address, where it can to the same port of the browser's machine.
  const forwarded = await Promise.resolve(vscode.env.asExternalUri(local)).catch(() => undefined);
  if (forwarded?.authority !== local.authority) {
    const paste = t('Paste Address…');
    const message = t(
      "The sign-in page returns to port {port}, which the browser can't reach. When that page fails to load, paste its address.",
      {
        port,
      },
    );
    void window
      .showInformationMessage(message, paste)
      .then((answer) => answer === paste && vscode.commands.executeCommand(commands.finishSignIn));
  }
}

async function showCode(title: InertText, { code, page }: NonNullable<SignInFacts['device']>): Promise<void> {
  const values = { title, code: inertLine(code, MAX_TEXT), page: inertLine(page, MAX_TEXT) };
  const open = t('Copy Code and Open Page');
  const copy = t('Copy Code');
  const answer = await window.showInformationMessage(t('{title}. Enter the code {code} at {page}', values), open, copy);
  if (answer !== undefined) {
    await vscode.env.clipboard.writeText(code);
  }
  if (answer === open) {
    // VS Code itself asks before it opens an address that the user has not trusted.
    await vscode.env.openExternal(page as unknown as vscode.Uri);
  }
}

/**
 * **ACP: Finish Sign-In with Pasted Address…**: the user pastes the address of the page that failed to load, and its request is sent to the agent's
 * port on this machine.
 */
export async function finishSignIn(activity: Pick<UserActivity, 'during'>): Promise<void> {
  const typed = await activity.during(() =>
    window.showInputBox({
      title: t('Finish Sign-In'),
      prompt: t('Address of the page that failed to load. It begins with http://localhost'),
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) =>
        text.trim() === '' || pastedCallback(text) ? undefined : t('Paste the whole address, which begins with http://localhost:'),
    }),
  );
  const callback = typed === undefined ? undefined : pastedCallback(typed);
  if (!callback) {
    return;
  }
  const { port } = callback;
  const isOwn = await isOwnPort(port);
  if (isOwn === false || (isOwn === undefined && !expected.has(port))) {
    void window.showWarningMessage(t('No agent of this window waits for a sign-in at port {port}. Nothing was sent.', { port }));
    return;
  }
  try {
    const status = await sendCallback(callback);
    void (status < 400
      ? window.showInformationMessage(t('The agent received the sign-in.'))
      : window.showWarningMessage(t('The agent refused the sign-in with status {status}.', { status })));
  } catch {
    void window.showWarningMessage(t('No agent answered at port {port}. Start the sign-in again.', { port }));
  }
}
