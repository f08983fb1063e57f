import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { CLOUD_FINDINGS } from './cloud/registry'

/** True for a code of a detector of this version. */
export const isFindingCode = (code: string): boolean =>
  Object.hasOwn(HOST_FINDINGS, code) || Object.hasOwn(CLOUD_FINDINGS, code)

/** The title of a group of findings. A code that this version does not know becomes its own title. */
export const findingTitle = (code: string): string =>
  HOST_FINDINGS[code]?.title ?? CLOUD_FINDINGS[code]?.title ?? code.replaceAll('-', ' ')
