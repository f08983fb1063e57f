import { HOST_FINDINGS } from '@/lib/domain/host-findings/registry'
import { CLOUD_FINDINGS } from './cloud/registry'

/** True for a code of a detector of this version. */
export const isFindingCode = (code: string): boolean =>
  Object.hasOwn(HOST_FINDINGS, code) || Object.hasOwn(CLOUD_FINDINGS, code)

/** The codes of all detectors of this version. */
export const findingCodes = (): string[] => [...Object.keys(HOST_FINDINGS), ...Object.keys(CLOUD_FINDINGS)]

/** The title of a group of findings. A code that this version does not know becomes its own title. */
export const findingTitle = (code: string): string =>
  HOST_FINDINGS[code]?.title ?? CLOUD_FINDINGS[code]?.title ?? code.replaceAll('-', ' ')
