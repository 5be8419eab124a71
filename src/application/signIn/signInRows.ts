/** An agent's sign-in methods as rows of a quick pick. Pure. */
import type { AuthMethod } from '../../core/model/content';
import { displayCommand } from '../../util/commandLine';
import { type InertText, joined, own, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

const MAX_NAME = 100;
const MAX_DETAIL = 300;
/** The maximum number of rows. Agents offer a handful of methods. */
const MAX_ROWS = 50;

export interface MethodRow {
  readonly label: InertText;
  /** Describes the effect of the choice. */
  readonly description: InertText;
  readonly detail?: InertText;
  readonly method: AuthMethod;
}

export function methodRows(methods: readonly AuthMethod[], t: Translate): MethodRow[] {
  return methods.slice(0, MAX_ROWS).map((method) => {
    const detail = inertLine(method.description ?? '', MAX_DETAIL);
    return {
      label: inertLine(method.name, MAX_NAME) || inertLine(method.methodId, MAX_NAME),
      description: signInMethodText(method, t),
      ...(detail !== '' && { detail }),
      method,
    };
  });
}

function signInMethodText({ type, command, args, vars = [], asks }: AuthMethod, t: Translate): InertText {
  if (asks) {
    return asks === 'key' ? t('asks for an API key') : t('asks for a gateway');
  }
  if (type === 'terminal') {
    return command === undefined
      ? t('opens a terminal')
      : t('runs {command} in a terminal', { command: inertLine(displayCommand(command, args), MAX_DETAIL) });
  }
  return vars.length > 0
    ? t('asks for {variables}', {
        variables: joined(
          vars.map(({ label, name }) => inertLine(label ?? name, MAX_NAME)),
          ', ',
        ),
      })
    : own('');
}
