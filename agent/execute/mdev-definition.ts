import type { CommandHost } from './command-host'
import { type OwnFile, pathOf } from './own-file'
import { Failure } from './refusal'

/** mdevctl's folder, which libvirt uses too. */
export const definitionFile = (parent: string, uuid: string): OwnFile => ({
  folder: '/etc/mdevctl.d',
  names: [parent, uuid],
})

export const definitionPath = (parent: string, uuid: string): string => pathOf(definitionFile(parent, uuid))

/** Deletes a definition and reports how. libvirt and mdevctl keep it in the same file. */
export const undefineMdev = async (
  host: CommandHost,
  { parent, uuid }: { parent: string; uuid: string },
): Promise<{ how: string; output: string }> => {
  const file = definitionFile(parent, uuid)
  const words = ['mdevctl', 'undefine', '--uuid', uuid, '--parent', parent]
  const output = host.isWholeMachine ? await host.run(words) : null
  if (output === null) {
    host.removeFile(file)
    return { how: `${pathOf(file)} was removed, as there is no mdevctl here`, output: '' }
  }
  if (host.readPlain(file) !== null)
    throw new Failure(`"${words.join(' ')}" left ${pathOf(file)} behind.`, output)
  return { how: `"${words.join(' ')}" undefined it`, output }
}
