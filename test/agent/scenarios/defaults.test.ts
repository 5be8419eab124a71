/** The start of the scenarios' agents, in full; all other golden texts leave it out. */
import { DEFAULT_NAMES, playDefault } from './defaults';
import { suite } from './suite';

suite('defaults', (add) => DEFAULT_NAMES.forEach((name) => add(name, () => playDefault(name))));
