/**
 * How a GPU is offered to guests. `none`: it is configured neither for vGPU nor for passthrough. The
 * database has the same list, as for lib/schemas/states.
 */
export const FRAMEWORKS = ['mdev', 'mdev-sriov', 'vendor-vfio', 'passthrough', 'none'] as const
export type Framework = (typeof FRAMEWORKS)[number]
