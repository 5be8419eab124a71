/** Input boxes for the values that a sign-in needs in the agent's environment (RFD "Authentication Methods", type `env_var`). */
import * as vscode from 'vscode';
import type { AuthMethod, AuthVariable } from '../../core/model/content';
import { fault } from '../../core/model/failure';
import { isUnsafeVariable } from '../../core/approval/unsafeVariables';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { type InertText, inertLine } from '../../application/shared/escape';
import type { Values } from './savedCredentials';
import { t } from '../shared/l10n';
import { linkTarget } from '../../application/links/links';
import { window } from '../shared/window';

/** Rejects names that an agent must not set. @throws Fault `auth.unsafe_variable` */
export function rejectUnsafeVariables(names: Iterable<string>): void {
  for (const name of names) {
    if (isUnsafeVariable(name) || /[=\0]/.test(name) || name === '') {
      throw fault('auth.unsafe_variable', { name });
    }
  }
}

/**
 * Asks for one value after the other. An empty box keeps the saved value, or omits an optional one.
 * @param kept values typed earlier; secret ones are not shown
 * @throws Fault `auth.not_finished` when the user cancels or `signal` aborts
 */
export async function askValues(title: InertText, method: AuthMethod, kept: Values, signal: AbortSignal): Promise<Values> {
  const values: Record<string, string> = {};
  const { vars = [], link } = method;
  for (const [index, variable] of vars.entries()) {
    const value = await ask({ title, variable, step: index + 1, steps: vars.length, kept: kept[variable.name], link, signal });
    if (value === undefined) {
      throw fault('auth.not_finished');
    }
    if (value !== '') {
      values[variable.name] = value;
    }
  }
  return values;
}

interface VariablePrompt {
  readonly title: InertText;
  readonly variable: AuthVariable;
  readonly step: number;
  readonly steps: number;
  readonly kept: string | undefined;
  readonly link: string | undefined;
  readonly signal: AbortSignal;
}

/** Resolves to undefined when the user cancels. */
function ask({ title, variable, step, steps, kept, link, signal }: VariablePrompt): Promise<string | undefined> {
  const { name, label, secret, optional } = variable;
  const box = window.createInputBox();
  const watch = new DisposableStore();
  watch.add(box);
  box.title = title;
  box.step = step;
  box.totalSteps = steps;
  box.ignoreFocusOut = true;
  box.password = secret;
  box.prompt = promptOf(inertLine(label ?? name, 200), optional, secret && kept !== undefined);
  box.placeholder = inertLine(name, 200);
  box.value = secret ? '' : (kept ?? '');
  const target = link === undefined ? undefined : linkTarget(link);
  if (target?.type === 'external') {
    const tooltip = t('Get a value: {link}', { link: inertLine(target.uri, 200) });
    box.buttons = [{ iconPath: new vscode.ThemeIcon('link-external'), tooltip }];
    // VS Code itself asks before it opens an address that the user has not trusted.
    watch.add(box.onDidTriggerButton(() => void vscode.env.openExternal(vscode.Uri.parse(target.uri, true))));
  }
  return new Promise<string | undefined>((resolve) => {
    const done = (value: string | undefined): void => {
      resolve(value);
      watch.dispose();
    };
    const giveUp = (): void => box.hide();
    signal.addEventListener('abort', giveUp, { once: true });
    watch.add(toDisposable(() => signal.removeEventListener('abort', giveUp)));
    watch.add(box.onDidChangeValue(() => (box.validationMessage = undefined)));
    watch.add(
      box.onDidAccept(() => {
        const value = box.value.trim() || (secret ? (kept ?? '') : '');
        if (value === '' && !optional) {
          box.validationMessage = t('A value is required.');
        } else {
          done(value);
        }
      }),
    );
    watch.add(box.onDidHide(() => done(undefined)));
    if (signal.aborted) {
      done(undefined);
    } else {
      box.show();
    }
  });
}

function promptOf(label: InertText, optional: boolean, hasKept: boolean): InertText {
  if (hasKept) {
    return t('{label} (leave empty to use the saved value)', { label });
  }
  return optional ? t('{label} (optional)', { label }) : label;
}
