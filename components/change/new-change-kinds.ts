import {
  gpuHeadroomPath,
  newFlavorPath,
  newLimitsPath,
  newOrphansPath,
  newPassthroughPath,
  newTraitsPath,
  newTypePath,
} from '@/lib/util/paths'

/** Every kind of change. A page that needs pGPUs or limits begins with their selection. */
export const NEW_CHANGE_KINDS: readonly { label: string; path: (cloud: string | null) => string }[] = [
  { label: 'Change vGPU type', path: (cloud) => newTypePath({ cloud, gpus: [] }) },
  { label: 'Remove orphaned mdevs', path: (cloud) => newOrphansPath({ cloud }) },
  { label: 'Tag with traits', path: (cloud) => newTraitsPath({ cloud }) },
  { label: 'Configure PCI passthrough', path: (cloud) => newPassthroughPath({ cloud, to: 'whole' }) },
  {
    label: 'Remove cards from PCI passthrough',
    path: (cloud) => newPassthroughPath({ cloud, to: 'sliced' }),
  },
  { label: 'Reserve capacity for GPU servers', path: (cloud) => gpuHeadroomPath({ cloud }) },
  { label: 'Create flavor', path: (cloud) => newFlavorPath({ cloud }) },
  { label: 'Change limits', path: (cloud) => newLimitsPath({ cloud, limits: [] }) },
]
