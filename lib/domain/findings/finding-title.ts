import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { CLOUD_FINDINGS } from './cloud/registry'

/** The title of a group of findings. A code that this version does not know becomes its own title. */
export const findingTitle = (code: string): string =>
  HOST_FINDINGS[code]?.title ?? CLOUD_FINDINGS[code]?.title ?? code.replaceAll('-', ' ')
