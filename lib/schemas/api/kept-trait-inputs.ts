import * as z from 'zod'
import { cloudScopeSchema, gpuParamsSchema, gpuScopeSchema } from './scope'

/** All of a cloud, or of one host, or of one pGPU. */
export const keptTraitScopeSchema = cloudScopeSchema.extend(gpuParamsSchema.partial().shape)
export type KeptTraitScope = z.input<typeof keptTraitScopeSchema>

const traitShape = {
  trait: z.string().regex(/^CUSTOM_[A-Z0-9_]{1,248}$/, 'must be a custom trait, like CUSTOM_NVIDIA_A40_4Q'),
}

export const keptTraitParamsSchema = gpuParamsSchema.extend(traitShape)
export const keptTraitNameSchema = gpuScopeSchema.extend(traitShape)
export type KeptTraitName = z.input<typeof keptTraitNameSchema>
