/** Suffix and name of a key, as Nova splits it (nova/scheduler/utils.py ResourceRequest.XS_KEYPAT). */
export const RESOURCE_KEY = /^resources([a-zA-Z0-9_-]{1,64})?:(.*)$/
export const TRAIT_KEY = /^trait([a-zA-Z0-9_-]{1,64})?:(.*)$/

export const isGpuClass = (name: string): boolean =>
  name === 'VGPU' || name === 'PGPU' || name.startsWith('CUSTOM_')
