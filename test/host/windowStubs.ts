/** Answers the dialogs of the window in place of the user. */
import * as vscode from 'vscode';

type Stubbed =
  | 'showWarningMessage'
  | 'showInformationMessage'
  | 'showQuickPick'
  | 'showInputBox'
  | 'setStatusBarMessage'
  | 'createInputBox';

/** An input box as it was shown. */
interface SeenBox {
  readonly title?: string;
  readonly prompt?: string;
  readonly password: boolean;
}

export class WindowStubs {
  private readonly restores: (() => unknown)[] = [];

  /** Replaces a function of the window until {@link restore}. */
  stub<Name extends Stubbed>(name: Name, made: (...args: never[]) => unknown): void {
    const original = vscode.window[name];
    Object.assign(vscode.window, { [name]: made });
    this.later(() => Object.assign(vscode.window, { [name]: original }));
  }

  /** Types these texts into the input boxes that open, and accepts them. Returns the boxes, as they were shown. */
  type(...texts: readonly string[]): readonly SeenBox[] {
    const seen: SeenBox[] = [];
    const create = vscode.window.createInputBox.bind(vscode.window);
    this.stub('createInputBox', () => {
      const box = create();
      const show = box.show.bind(box);
      const accepted: (() => unknown)[] = [];
      const onDidAccept = ((listener: () => unknown) => {
        accepted.push(listener);
        return { dispose: () => undefined };
      }) as typeof box.onDidAccept;
      Object.assign(box, { onDidAccept });
      box.show = () => {
        show();
        const { title, prompt, password } = box;
        seen.push({ ...(title !== undefined && { title }), ...(prompt !== undefined && { prompt }), password });
        setTimeout(() => {
          box.value = texts[seen.length - 1] ?? '';
          accepted.forEach((accept) => accept());
        }, 50);
      };
      return box;
    });
    return seen;
  }

  /** Runs `restore` with the next {@link restore}. */
  later(restore: () => unknown): void {
    this.restores.push(restore);
  }

  /** Gives the window its own functions back, and runs what was added by {@link later}. */
  async restore(): Promise<void> {
    await Promise.all(this.restores.splice(0).map((each) => each()));
  }
}
