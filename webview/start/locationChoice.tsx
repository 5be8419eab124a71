/** The choice of where chats open, shown in an empty conversation and in a page without one. */
import { useState } from 'preact/hooks';
import type { ChatLocation } from '../../src/core/protocol/view';
import { t } from '../base/l10n';

interface Props {
  readonly location: ChatLocation;
  choose(location: ChatLocation): void;
}

export function LocationChoice({ location, choose }: Props) {
  const [chosen, setChosen] = useState(location);
  const options = [
    { value: 'editor', label: t('Editor') },
    { value: 'sideBar', label: t('Side Bar') },
  ] as const;
  return (
    <fieldset class="location-choice dim">
      <legend>{t('Open chats in')}</legend>
      {options.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name="chat-location"
            value={value}
            checked={chosen === value}
            onChange={() => {
              setChosen(value);
              choose(value);
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
