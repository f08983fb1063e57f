import type { OpenStackSession } from '../session/types'
import type { RequestMeter } from '../transport/types'
import { createVersionedCall } from '../versioned-call'
import { createCloudReads, createProviderReads } from './placement-reads'
import { versionsSchema } from './placement-schemas'
import { createConsumerWrites, createNameWrites, createProviderWrites } from './placement-writes'
import type { PlacementClient } from './types'

/** 1.33 takes names for request groups, which a flavor's own query may have. */
const OLDEST = '1.33'
const BEST = '1.39'

const readMaxVersion = (json: unknown): string | null => {
  const parsed = versionsSchema.safeParse(json)
  return parsed.success ? (parsed.data.versions[0]?.max_version ?? null) : null
}

type CreatePlacementInput = { account: OpenStackSession; meter?: RequestMeter | undefined }

/** Placement as this account sees it. Needs a project-scoped admin. Every function throws OpenStackError. */
export const createPlacement = ({ account, meter }: CreatePlacementInput): PlacementClient => {
  const call = createVersionedCall({
    account,
    service: 'placement',
    headerName: 'placement',
    best: BEST,
    oldest: OLDEST,
    readMaxVersion,
    meter,
  })
  return {
    version: call.version,
    maxVersion: call.maxVersion,
    ...createProviderReads(call),
    ...createCloudReads(call),
    ...createProviderWrites(call),
    ...createNameWrites(call),
    ...createConsumerWrites(call),
  }
}
