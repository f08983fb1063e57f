import type { CommandHost } from './command-host'
import { Failure } from './refusal'

export const definitionPath = (parent: string, uuid: string): string => `/etc/mdevctl.d/${parent}/${uuid}`

/** Takes a definition away and says how. libvirt and mdevctl keep it in the same file. */
export const undefineMdev = async (
  host: CommandHost,
  { parent, uuid }: { parent: string; uuid: string },
): Promise<{ how: string; output: string }> => {
  const file = definitionPath(parent, uuid)
  const words = ['mdevctl', 'undefine', '--uuid', uuid, '--parent', parent]
  const output = host.isWholeMachine ? await host.run(words) : null
  if (output === null) {
    host.removeFile(file)
    return { how: `${file} was removed, as there is no mdevctl here`, output: '' }
  }
  if (host.readPlain(file) !== null) throw new Failure(`"${words.join(' ')}" left ${file} behind.`, output)
  return { how: `"${words.join(' ')}" undefined it`, output }
}
