import type * as vscode from 'vscode';
import type { Disposable, Log } from '../core/ports';
import { own } from './escape';
import { window } from './window';

/** The output channel of the product, made when the first line is written or the user wants to see it. */
export class OutputLog implements Log, Disposable {
  private channel: vscode.LogOutputChannel | undefined;

  debug(message: string): void {
    this.output.debug(message);
  }

  info(message: string): void {
    this.output.info(message);
  }

  warn(message: string): void {
    this.output.warn(message);
  }

  error(message: string): void {
    this.output.error(message);
  }

  /** Opens the channel in the panel area and leaves the focus where it is. */
  show(): void {
    this.output.show(true);
  }

  dispose(): void {
    this.channel?.dispose();
    this.channel = undefined;
  }

  private get output(): vscode.LogOutputChannel {
    return (this.channel ??= window.createOutputChannel(own('ACP Host'), { log: true }));
  }
}
