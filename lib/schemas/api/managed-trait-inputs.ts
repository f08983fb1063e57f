import * as z from 'zod'
import { cloudScopeSchema, gpuParamsSchema, gpuScopeSchema } from './scope'

/** All of a cloud, or of one host, or of one pGPU. */
export const managedTraitScopeSchema = cloudScopeSchema.extend(gpuParamsSchema.partial().shape)
export type ManagedTraitScope = z.input<typeof managedTraitScopeSchema>

const traitShape = {
  trait: z.string().regex(/^CUSTOM_[A-Z0-9_]{1,248}$/, 'must be a custom trait, like CUSTOM_NVIDIA_A40_4Q'),
}

export const managedTraitParamsSchema = gpuParamsSchema.extend(traitShape)
export const managedTraitNameSchema = gpuScopeSchema.extend(traitShape)
export type ManagedTraitName = z.input<typeof managedTraitNameSchema>
