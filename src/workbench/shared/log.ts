import type * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { own } from '../../application/shared/escape';
import { window } from './window';

/** The output channel of the product, created for the first line or when the user opens it. */
export class OutputLog implements Log, Disposable {
  private channel: vscode.LogOutputChannel | undefined;
  /** Removes secrets from a text before it is written. */
  withoutSecrets: (text: string) => string = (text) => text;
  /** Returns the number of UTF-16 units at the end of a text that may be the beginning of a secret. */
  secretStart: (text: string) => number = () => 0;

  debug(message: string): void {
    this.output.debug(this.withoutSecrets(message));
  }

  info(message: string): void {
    this.output.info(this.withoutSecrets(message));
  }

  warn(message: string): void {
    this.output.warn(this.withoutSecrets(message));
  }

  error(message: string): void {
    this.output.error(this.withoutSecrets(message));
  }

  /** Opens the channel in the panel area without moving the focus. */
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
