import * as z from 'zod/mini'
import { lineSchema, pciAddressSchema, uuidSchema } from './primitives'
import { CONTRACT_VERSION } from './report'
import { contractRevisionSchema } from './revision'

/** Limits of one message; the agent keeps to them, the console enforces them. */
export const SAMPLE_LIMITS = {
  samples: 120,
  /** From the first sample of a message to its last one. */
  spanSeconds: 7200,
  gpus: 256,
  vgpusPerGpu: 256,
} as const

/** Percent of time in which a kernel ran, and MiB; null: nvidia-smi did not tell. One for each sample of the message. */
const percents = z
  .array(z.nullable(z.int().check(z.gte(0), z.lte(100))))
  .check(z.maxLength(SAMPLE_LIMITS.samples))
const mebibytes = z
  .array(z.nullable(z.int().check(z.gte(0), z.lte(16_777_216))))
  .check(z.maxLength(SAMPLE_LIMITS.samples))
const size = z.nullable(z.int().check(z.gte(0), z.lte(16_777_216)))

const vgpuSamplesSchema = z.strictObject({
  /** The mdev's uuid, else the driver's number of the vGPU. */
  vgpu: lineSchema(64).check(z.minLength(1)),
  guestUuid: z.nullable(uuidSchema),
  totalMib: size,
  utilisation: percents,
  usedMib: mebibytes,
})

/**
 * Body of `POST /api/agent/v1/samples`, JSON, gzip allowed: utilization and framebuffer from nvidia-smi, at most once a
 * minute. Sent with `REPORT_HEADERS.sentAt`, and only to a console that sends `samplesEverySeconds`. GPUs without
 * nvidia-smi (a card in passthrough, a GPU of another vendor) are not in it. Source: `nvidia-smi -q`, `nvidia-smi vgpu
 * -q`.
 */
export const samplesSchema = z
  .strictObject({
    contractVersion: z.literal(CONTRACT_VERSION),
    contractRevision: contractRevisionSchema,
    /** The host's clock at the first sample, ISO 8601 UTC. */
    begin: z.iso.datetime(),
    /** Seconds from `begin` to each sample, ascending. */
    at: z
      .array(z.int().check(z.gte(0), z.lte(SAMPLE_LIMITS.spanSeconds)))
      .check(z.minLength(1), z.maxLength(SAMPLE_LIMITS.samples)),
    gpus: z
      .array(
        z.strictObject({
          address: pciAddressSchema,
          totalMib: size,
          utilisation: percents,
          usedMib: mebibytes,
          vgpus: z.array(vgpuSamplesSchema).check(z.maxLength(SAMPLE_LIMITS.vgpusPerGpu)),
        }),
      )
      .check(z.maxLength(SAMPLE_LIMITS.gpus)),
  })
  .check(
    z.refine(
      ({ at, gpus }) =>
        gpus
          .flatMap((gpu) => [gpu, ...gpu.vgpus])
          .every(
            ({ utilisation, usedMib }) => utilisation.length === at.length && usedMib.length === at.length,
          ),
      { path: ['gpus'], error: 'must have one number or null for each moment of "at"' },
    ),
  )
export type Samples = z.infer<typeof samplesSchema>

/** Answer to samples (200), once they are committed. `ignored`: too old for the history, or ahead of the console's clock. */
export const samplesReceiptSchema = z.object({
  taken: z.int().check(z.gte(0)),
  ignored: z.int().check(z.gte(0)),
})
export type SamplesReceipt = z.infer<typeof samplesReceiptSchema>
