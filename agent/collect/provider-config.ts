import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { truncate } from './clean-text'
import type { HostFiles } from './host-files'
import type { ProblemLog } from './problem-log'

type Known = Pick<NovaConfig, 'deployment' | 'options'>
type ProviderConfig = NonNullable<NovaConfig['providerConfig']>

/** nova/conf/compute.py provider_config_location. */
const DEFAULT_FOLDER = '/etc/nova/provider_config'
/** Deployments whose nova-compute sees the host's own /etc. */
const ON_THE_HOST: readonly NovaConfig['deployment'][] = ['package', 'given']

const FILE_LIMIT_BYTES = 131_072
/** The contract's bound. */
const MAX_FILES = 64

/** The folder whose files nova-compute reads at its start; null where it runs in a container. */
export const providerConfigFolder = ({ deployment, options }: Known): string | null => {
  if (!ON_THE_HOST.includes(deployment)) return null
  const set = options.findLast(
    ({ section, name }) => section.toLowerCase() === 'compute' && name === 'provider_config_location',
  )
  const folder = set?.value.trim().replace(/\/+$/, '') || DEFAULT_FOLDER
  return folder.startsWith('/') ? folder : null
}

/** nova/compute/provider_config.py: every *.yaml of the folder. Undefined: there is no folder to look into. */
export const collectProviderConfig = (
  known: Known,
  { files, problems }: { files: HostFiles; problems: ProblemLog },
): ProviderConfig | null | undefined => {
  const folder = providerConfigFolder(known)
  if (folder === null) return undefined
  if (!files.exists(folder)) return { folder: truncate(folder, 1024), files: [] }
  const names = files
    .names(folder)
    ?.filter((name) => /^[^.].*\.yaml$/.test(name))
    .sort()
  if (names === undefined) return null
  if (names.length > MAX_FILES)
    problems.add({
      source: folder,
      code: 'too-large',
      message: `${folder} has ${names.length} files; a report holds the first ${MAX_FILES}.`,
    })
  return {
    folder: truncate(folder, 1024),
    files: names.slice(0, MAX_FILES).map((name) => ({
      name,
      text: files.text(`${folder}/${name}`, { limitBytes: FILE_LIMIT_BYTES }),
    })),
  }
}
