import type { ServiceContext } from '@/lib/server/context/service-context'

/** For load balancers and service managers, so without a permission: it reports only that the database answers. */
export const getHealth = async ({ database }: ServiceContext): Promise<{ status: 'ok' }> => {
  await database.query('SELECT 1')
  return { status: 'ok' }
}
