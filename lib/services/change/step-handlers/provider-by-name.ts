import type { ListedProvider } from '@/lib/openstack/placement/types'
import type { StepTools } from './step-work'

/** A provider as it is called: its uuid changes when Nova re-creates it. Null: Placement has none. */
export const providerByName = async (
  { placement }: StepTools,
  name: string,
): Promise<ListedProvider | null> => (await placement.listProviders({ name }))[0] ?? null
