import * as z from 'zod'
import { hostNameSchema } from '../agent/primitives'
import { rowIdSchema } from './agent-inputs'
import { cloudScopeSchema } from './scope'

const hostName = z.string().trim().max(253).pipe(hostNameSchema)

/** Hosts that one request can remove. */
const MAX_HOSTS = 500

const reasonShape = { reason: z.string().trim().min(1, 'must not be empty').max(500) }

export const removeHostsSchema = z.strictObject({
  hosts: z.array(hostName).min(1).max(MAX_HOSTS),
  ...reasonShape,
  /** Remove hosts whose agents still report. */
  force: z.boolean().default(false),
})
export const removeHostsScopeSchema = cloudScopeSchema.extend(removeHostsSchema.shape)
export type RemoveHosts = z.input<typeof removeHostsScopeSchema>

export const removedHostParamsSchema = z.object({ id: rowIdSchema })
export const restoreHostSchema = z.strictObject(reasonShape)
export type RestoreHost = z.input<typeof restoreHostSchema> & z.input<typeof removedHostParamsSchema>

/** `from`: the host whose history `host` continues, as the list of hosts or of removed hosts names it. */
const mergeShape = { from: z.string().trim().min(1).max(300) }
export const mergePreviewQuerySchema = cloudScopeSchema.extend(mergeShape)
export const mergeHostSchema = z.strictObject({ ...mergeShape, ...reasonShape })

export const mergePreviewScopeSchema = mergePreviewQuerySchema.extend({ host: hostName })
export type MergePreviewScope = z.input<typeof mergePreviewScopeSchema>
export const mergeHostScopeSchema = cloudScopeSchema.extend({ ...mergeHostSchema.shape, host: hostName })
export type MergeHost = z.input<typeof mergeHostScopeSchema>
