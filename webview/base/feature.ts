/**
 * The declaration of a feature's part of the page. Each file of `webview/features` has one, as its default export. The folder is the list of these
 * parts: `build/folders.mjs` collects the files.
 */
import type { ComponentType } from 'preact';

export interface FooterProps {
  /** Puts the focus into the message box. */
  readonly leave: () => void;
}

export interface PageFeature {
  /** The component between the conversation and the message box. */
  readonly Footer: ComponentType<FooterProps>;
  /** The position of the component: the smallest number is nearest to the conversation. Equal numbers keep the order of the names. */
  readonly order: number;
}
