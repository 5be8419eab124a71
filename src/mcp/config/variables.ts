/** The variables in the values of a server, such as `${env:TOKEN}`. Values are inserted once: a variable in an inserted value stays text. */
import type { InsertedValue } from '../../core/mcp/mcpServer';
import type { SourceForm } from './serverDefinition';

export interface VariableValues {
  readonly form: SourceForm;
  environment(name: string): string | undefined;
  /** The folder of the source, or of the session. Undefined without folders. */
  readonly workspaceFolder: string | undefined;
  /** The folders of the workspace by name. */
  readonly folders: ReadonlyMap<string, string>;
  readonly userHome: string;
  readonly pathSeparator: string;
  /** Undefined: not entered yet. */
  input(id: string): { readonly value: string; readonly isPassword: boolean } | undefined;
  /** True for an input that the user can enter. */
  hasInput(id: string): boolean;
}

/** The reason why a server gets no values. */
export class MissingValue extends Error {
  constructor(
    readonly reason: 'input_missing' | 'variable_unknown',
    /** The input's id or the variable. */
    readonly detail: string,
  ) {
    super(detail);
  }
}

const VARIABLE = /\$\{([^{}]{0,200})\}/g;
const SHELL_NAME = /^([A-Za-z_]\w*)(?::-(.*))?$/s;

/**
 * Returns the text with the values of its variables.
 *
 * @param inserted receives the values that may be secrets
 * @throws MissingValue for a variable without a value
 */
export function withValues(text: string, values: VariableValues, inserted: InsertedValue[]): string {
  return text.replace(VARIABLE, (whole, variable: string) => valueOf(whole, variable, values, inserted));
}

function valueOf(whole: string, variable: string, values: VariableValues, inserted: InsertedValue[]): string {
  const unknown = (): never => {
    throw new MissingValue('variable_unknown', whole);
  };
  const environment = (name: string): string | undefined => {
    const value = values.environment(name);
    if (value !== undefined) {
      inserted.push({ name, value, isPassword: false });
    }
    return value;
  };
  const [kind, name] = split(variable);
  switch (kind) {
    case 'env':
      return environment(name ?? '') ?? unknown();
    case 'workspaceFolder':
      return (name === undefined ? values.workspaceFolder : values.folders.get(name)) ?? unknown();
    case 'input':
      return inputValue(name ?? '', values, inserted) ?? unknown();
    case 'userHome':
      return name === undefined ? values.userHome : unknown();
    case 'pathSeparator':
    case '/':
      return name === undefined ? values.pathSeparator : unknown();
    default: {
      const [, shellName, otherwise] = (values.form === 'claude' && SHELL_NAME.exec(variable)) || [];
      return (shellName === undefined ? undefined : (environment(shellName) ?? otherwise)) ?? unknown();
    }
  }
}

function inputValue(id: string, values: VariableValues, inserted: InsertedValue[]): string | undefined {
  if (!values.hasInput(id)) {
    return undefined;
  }
  const entered = values.input(id);
  if (!entered) {
    throw new MissingValue('input_missing', id);
  }
  inserted.push({ name: id, ...entered });
  return entered.value;
}

function split(variable: string): readonly [kind: string, name?: string] {
  const colon = variable.indexOf(':');
  return colon < 0 ? [variable] : [variable.slice(0, colon), variable.slice(colon + 1)];
}
