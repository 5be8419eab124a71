/** The ports of the language tools: the editor's language features as data, in LSP's shapes, with files by their absolute paths. */
import type { Disposable } from '../../core/platform/disposable';
import type { Position, Range } from './position';
import type { ToolSession } from './tool';

export interface Place {
  /** The absolute path, or the URI of a document that is no file. */
  readonly path: string;
  readonly range: Range;
}

/** LSP's severities: error, warning, information, hint. */
export type Severity = 1 | 2 | 3 | 4;

export interface Problem {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string | undefined;
  readonly code?: string | number | undefined;
}

/** The problems of a file at one time. Later changes do not affect them. */
export interface FileProblems {
  readonly path: string;
  /** A getter: the editor's problems are converted only when they are read. */
  readonly problems: readonly Problem[];
}

export interface CodeSymbol {
  readonly name: string;
  /** LSP's `SymbolKind`. */
  readonly kind: number;
  readonly detail?: string | undefined;
  readonly containerName?: string | undefined;
  readonly place: Place;
  readonly children?: readonly CodeSymbol[] | undefined;
}

/** A document as the editor has it. */
export interface EditorText {
  readonly text: string;
  readonly isDirty: boolean;
  /** True when the file has another text on the disk, which the editor has not read again yet. */
  readonly isBehind: boolean;
}

export interface Call {
  readonly symbol: CodeSymbol;
  /** The places of the calls: in `symbol` for incoming calls, otherwise in the symbol that was asked about. */
  readonly ranges: readonly Range[];
}

export interface Signatures {
  readonly active: number;
  readonly activeParameter: number;
  readonly signatures: readonly {
    readonly label: string;
    readonly documentation?: string | undefined;
    readonly parameters: readonly { readonly label: string; readonly documentation?: string | undefined }[];
  }[];
}

/** The replacement of a range of a text. */
export interface RangeEdit {
  readonly range: Range;
  readonly newText: string;
}

/** An edit of several files, as a language server returned it. */
export interface EditPlan {
  readonly files: readonly { readonly path: string; readonly edits: readonly RangeEdit[] }[];
  /** Descriptions of the parts that are no edits of a text, such as a file that is moved. */
  readonly others: readonly string[];
}

export interface CodeAction {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred: boolean;
  /** Why the action cannot be applied, by its provider. */
  readonly disabled?: string | undefined;
  /** Undefined for an action that runs a command instead of returning its edit. */
  readonly edit?: EditPlan | undefined;
}

export type PlaceKind = 'definition' | 'declaration' | 'type_definition' | 'implementations' | 'references';
export type CallDirection = 'incoming' | 'outgoing';
export type TypeDirection = 'supertypes' | 'subtypes';

/** The editor's documents. */
export interface TextPort {
  /**
   * Opens the document of a file, which language features need. It gets no editor.
   * @throws an Error when the file is binary or too large
   */
  open(path: string): Promise<EditorText>;
  /** Returns the text of a file without opening it in the editor. Undefined when it cannot be read. Never rejects. */
  peek(path: string): Promise<string | undefined>;
  /** True when a rule of the user protects the file from being read, and the user has not agreed to it. */
  isHidden(session: ToolSession, path: string): Promise<boolean>;
}

export interface ProblemsPort extends TextPort {
  /** All problems of the editor. */
  all(): readonly FileProblems[];
  of(path: string): readonly Problem[];
  /**
   * Has a document checked that is open without a tab, where its language server reports only documents in tabs.
   * @returns true when the problems of its present text are known now
   */
  check(path: string): Promise<boolean>;
  /** The paths of the open documents whose problems are known. */
  analysedPaths(): ReadonlySet<string>;
  onDidChange(listener: (paths: readonly string[]) => void): Disposable;
  /** Returns ms since the epoch of the last change of an open document's text, as far as it is known. */
  textChangedAt(path: string): number | undefined;
}

export interface SymbolsPort extends TextPort {
  documentSymbols(path: string): Promise<readonly CodeSymbol[]>;
  workspaceSymbols(query: string): Promise<readonly CodeSymbol[]>;
}

export interface NavigationPort extends TextPort {
  places(kind: PlaceKind, path: string, position: Position): Promise<readonly Place[]>;
  calls(path: string, position: Position, direction: CallDirection): Promise<readonly { symbol: CodeSymbol; calls: readonly Call[] }[]>;
  types(
    path: string,
    position: Position,
    direction: TypeDirection,
  ): Promise<readonly { symbol: CodeSymbol; types: readonly CodeSymbol[] }[]>;
}

export interface InformationPort extends TextPort {
  /** Returns Markdown. */
  hover(path: string, position: Position): Promise<readonly string[]>;
  signatures(path: string, position: Position): Promise<Signatures | undefined>;
}

/** The result of an edit that was made. */
export interface AppliedEdit {
  /** Files that were not saved, because they had unsaved changes of the user, or saving failed. */
  readonly unsaved: readonly string[];
}

export interface EditsPort extends TextPort, Pick<NavigationPort, 'places'> {
  /** @throws an Error with the language server's reason when the symbol cannot be renamed */
  rename(path: string, position: Position, newName: string): Promise<EditPlan>;
  actions(path: string, range: Range, kind: string | undefined): Promise<readonly CodeAction[]>;
  organizeImports(path: string): Promise<EditPlan | undefined>;
  /** Undefined: no formatter for the file. */
  format(path: string, range: Range | undefined): Promise<EditPlan | undefined>;
  /**
   * Makes an edit for the session's agent, as one undoable edit over all files, and saves the files. Either all files change or none.
   * @throws an Error that says why nothing was changed
   */
  apply(session: ToolSession, plan: EditPlan, label: string, signal: AbortSignal): Promise<AppliedEdit>;
}

export interface LanguagePort extends ProblemsPort, SymbolsPort, NavigationPort, InformationPort, EditsPort {}
