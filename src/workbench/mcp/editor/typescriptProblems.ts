/**
 * The problems of TypeScript and JavaScript documents without a tab. VS Code's extension reports those of documents in tabs alone, and an agent's files
 * are rarely in one.
 */
import * as vscode from 'vscode';
import type { Problem, Severity } from '../../../mcp/editor/language';

const LANGUAGES: ReadonlySet<string> = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);
const EXTENSION = 'vscode.typescript-language-features';
/** The extension's own command for read-only requests to its server. */
const REQUEST = 'typescript.tsserverRequest';
const KINDS = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'];
const SEVERITIES: Readonly<Record<string, Severity>> = { error: 1, warning: 2, message: 3, suggestion: 4 };
const MAX_FILES = 500;

interface Checked {
  readonly version: number;
  readonly problems: readonly Problem[];
}

/** A problem as the TypeScript server returns it, with places from 1. */
interface ServerDiagnostic {
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code?: number;
  readonly category: string;
  readonly source?: string;
}

export class TypeScriptProblems {
  private readonly checked = new Map<string, Checked>();
  /** The files whose problems VS Code has for a moment. */
  private readonly reported = new Set<string>();

  /** Checks an open document. Resolves to false when the extension reports the document itself, or cannot be asked. */
  async check(document: vscode.TextDocument): Promise<boolean> {
    const { uri, version } = document;
    if (!isUnreported(document) || !(await isInstalled())) {
      return false;
    }
    if (this.checked.get(uri.fsPath)?.version === version) {
      return true;
    }
    const answers = await Promise.all(KINDS.map((kind) => vscode.commands.executeCommand<unknown>(REQUEST, kind, { file: uri })));
    const bodies = answers.map((answer) => (answer as { body?: unknown } | undefined)?.body);
    if (!bodies.every((body): body is ServerDiagnostic[] => Array.isArray(body)) || document.version !== version) {
      return false;
    }
    this.checked.delete(uri.fsPath);
    this.checked.set(uri.fsPath, { version, problems: bodies.flat().map(problemOf) });
    if (this.checked.size > MAX_FILES) {
      this.checked.delete(this.checked.keys().next().value!);
    }
    return true;
  }

  /**
   * Runs `work` while VS Code has the problems of a document, because it passes them to the providers of quick fixes. They are in the Problems view
   * meanwhile.
   */
  async whileReported<T>(document: vscode.TextDocument, work: () => Promise<T>): Promise<T> {
    const known = (await this.check(document).catch(() => false)) ? this.of(document) : undefined;
    if (!known || known.length === 0) {
      return work();
    }
    const { fsPath } = document.uri;
    // oxlint-disable-next-line eslint-js/no-restricted-syntax -- the texts are those that VS Code's own extension shows for documents in tabs
    const collection = vscode.languages.createDiagnosticCollection();
    this.reported.add(fsPath);
    collection.set(document.uri, known.map(diagnosticOf));
    try {
      return await work();
    } finally {
      collection.dispose();
      this.reported.delete(fsPath);
    }
  }

  /** Returns the problems of a document's present text. Undefined when they are not known here. */
  of(document: vscode.TextDocument): readonly Problem[] | undefined {
    const known = this.checked.get(document.uri.fsPath);
    if (known?.version !== document.version || !isUnreported(document)) {
      return undefined;
    }
    return this.reported.has(document.uri.fsPath) ? [] : known.problems;
  }

  /** True when no problems of the document are known: neither here, nor from its extension. */
  isUnknown(document: vscode.TextDocument): boolean {
    return isUnreported(document) && this.of(document) === undefined;
  }
}

/** True for a document that the extension does not report. */
function isUnreported({ uri, languageId }: vscode.TextDocument): boolean {
  if (!LANGUAGES.has(languageId)) {
    return false;
  }
  const shown = uri.toString();
  return !vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => {
      const uris =
        input instanceof vscode.TabInputText
          ? [input.uri]
          : input instanceof vscode.TabInputTextDiff
            ? [input.original, input.modified]
            : [];
      return uris.some((each) => each.toString() === shown);
    }),
  );
}

async function isInstalled(): Promise<boolean> {
  // The first document of a window only begins the activation, which registers the command. Without this wait, a rename would miss other files.
  await vscode.extensions.getExtension(EXTENSION)?.activate();
  return (await vscode.commands.getCommands(true)).includes(REQUEST);
}

function diagnosticOf({ range: { start, end }, severity, message, source, code }: Problem): vscode.Diagnostic {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  // VS Code counts severities from 0.
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- see `whileReported`
  return Object.assign(new vscode.Diagnostic(range, message, severity - 1), { source, code });
}

function problemOf({ start, end, text, code, category, source = 'ts' }: ServerDiagnostic): Problem {
  const at = ({ line, offset }: ServerDiagnostic['start']) => ({ line: line - 1, character: offset - 1 });
  const severity = SEVERITIES[category] ?? 1;
  return { range: { start: at(start), end: at(end) }, severity, message: text, source, ...(code !== undefined && { code }) };
}
