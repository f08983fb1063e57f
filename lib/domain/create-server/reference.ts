import { visible } from '@/lib/util/encode/visible'

/** Something of a cloud as commands name it: by its name, or by its id. */
export type Reference = { text: string; isId: boolean }

type Named = { id: string; name: string }

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** `--network` of python-openstackclient reads both words as a setting, and takes no comma and no equals sign. */
const NOT_A_NETWORK = /^(?:auto|none)$|[,=]/

/**
 * Whether a name finds nothing but its owner: clients look for an id first, and an encoder replaces the characters that a
 * terminal would interpret.
 */
const isUsable = (name: string): boolean =>
  name.trim() !== '' && name === visible(name) && !UUID.test(name) && !NOT_A_NETWORK.test(name)

/** By its name where exactly one of the choices has it, else by its id. */
export const toReference = ({ id, name }: Named, choices: readonly Named[]): Reference =>
  isUsable(name) && choices.filter((each) => each.name === name).length === 1
    ? { text: name, isId: false }
    : { text: id, isId: true }
