/** A web dashboard of the cloud. */
type Dashboard = { kind: 'horizon' | 'skyline'; url: string }

/**
 * Where a dashboard starts servers. Skyline takes the flavor from the address (its own page of reservations links so); Horizon's
 * form has no such parameter, so there the flavor is still to be chosen.
 */
export const dashboardLink = (
  { kind, url }: Dashboard,
  flavorId: string,
): { href: string; isFilled: boolean } =>
  kind === 'skyline'
    ? { href: `${url}/compute/instance/create?flavor=${encodeURIComponent(flavorId)}`, isFilled: true }
    : { href: `${url}/project/instances/`, isFilled: false }
