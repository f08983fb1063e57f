-- A host's history for a chart, in one answer. Its statements are planned once for all values: planned for each, dozens of
-- partitions take longer than it takes to read what is in them.
CREATE FUNCTION "host_story"(
  "of_host" INTEGER, "since" TIMESTAMPTZ, "before" TIMESTAMPTZ,
  -- Of each pGPU, in no order: how many bytes its changes have; each is when (us since 2000), then the number of its point.
  OUT "addresses" TEXT[], OUT "lengths" INTEGER[], OUT "changes" BYTEA,
  -- What the cloud said, in order, and when the host was watched; times in ms since 1970.
  OUT "words" JSONB, OUT "watches" JSONB, OUT "first_at" FLOAT8
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- A busy pGPU has a row there, and what is not looked at costs nothing.
  "lately" CONSTANT TIMESTAMPTZ := since - interval '35 days';
  "within_ids" INTEGER[];
  "within_changes" BYTEA[];
  "subjects" INTEGER[];
  "stood_ids" INTEGER[];
  "stood_changes" BYTEA[];
  "older_ids" INTEGER[];
  "older_changes" BYTEA[];
  "watched" TIMESTAMPTZ;
BEGIN
  SELECT array_agg(w.address_id), array_agg(w.packed) INTO within_ids, within_changes FROM (
    SELECT c.address_id, string_agg(timestamptz_send(c.at) || int4send(c.point_id), ''::bytea) AS packed
    FROM pgpu_change c WHERE c.host_id = of_host AND c.at >= since AND c.at < before GROUP BY c.address_id) w;

  -- Whoever was there before is there now or left a row since.
  subjects := ARRAY(
    SELECT a.id FROM pgpu p JOIN history_address a ON a.address = p.address WHERE p.host_id = of_host
    UNION SELECT unnest(within_ids)
    UNION SELECT c.address_id FROM pgpu_change c WHERE c.host_id = of_host AND c.at >= before);
  SELECT array_agg(s.id), array_agg(timestamptz_send(last.at) || int4send(last.point_id)) INTO stood_ids, stood_changes
  FROM unnest(subjects) s (id) CROSS JOIN LATERAL (
    SELECT c.at, c.point_id FROM pgpu_change c
    WHERE c.host_id = of_host AND c.address_id = s.id AND c.at >= lately AND c.at < since
    ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last;
  IF cardinality(subjects) > coalesce(cardinality(stood_ids), 0) THEN
    SELECT array_agg(s.id), array_agg(timestamptz_send(last.at) || int4send(last.point_id)) INTO older_ids, older_changes
    FROM unnest(subjects) s (id) CROSS JOIN LATERAL (
      SELECT c.at, c.point_id FROM pgpu_change c WHERE c.host_id = of_host AND c.address_id = s.id AND c.at < lately
      ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last
    WHERE s.id <> ALL(coalesce(stood_ids, '{}'));
  END IF;
  SELECT array_agg(p.address), array_agg(length(p.packed)), string_agg(p.packed, ''::bytea) INTO addresses, lengths, changes
  FROM (
    SELECT a.address, coalesce(s.packed, ''::bytea) || coalesce(w.packed, ''::bytea) AS packed FROM history_address a
    LEFT JOIN unnest(stood_ids || older_ids, stood_changes || older_changes) s (id, packed) ON s.id = a.id
    LEFT JOIN unnest(within_ids, within_changes) w (id, packed) ON w.id = a.id
    WHERE a.id = ANY(subjects) AND (s.id IS NOT NULL OR w.id IS NOT NULL)) p;

  SELECT jsonb_agg(jsonb_build_object('address', w.address, 'at', extract(epoch FROM w.at) * 1000, 'stranded', w.stranded,
    'because', w.stranded_because, 'serviceState', w.service_state, 'aggregates', w.aggregates) ORDER BY w.at)
  INTO words FROM (
    SELECT last.* FROM (
      SELECT p.address FROM pgpu_cloud p WHERE p.host_id = of_host
      UNION SELECT c.address FROM pgpu_cloud_change c WHERE c.host_id = of_host AND c.at >= since
    ) s CROSS JOIN LATERAL (
      SELECT c.* FROM pgpu_cloud_change c WHERE c.host_id = of_host AND c.address = s.address AND c.at < since
      ORDER BY c.at DESC LIMIT 1) last
    UNION ALL SELECT c.* FROM pgpu_cloud_change c WHERE c.host_id = of_host AND c.at >= since AND c.at < before) w;

  SELECT jsonb_agg(jsonb_build_object('since', extract(epoch FROM w.since) * 1000, 'until', extract(epoch FROM w.until) * 1000))
  INTO watches FROM (
    SELECT w.since, w.until FROM host_watch w WHERE w.host_id = of_host
    UNION ALL SELECT h.watched_since, h.watched_at FROM host h WHERE h.id = of_host) w
  WHERE w.since < before AND w.until > host_story.since;

  -- Changes are looked for before the first watched stretch alone: of years of months few are read.
  SELECT min(w.since) INTO watched FROM host_watch w WHERE w.host_id = of_host;
  SELECT extract(epoch FROM least(watched, min(c.at))) * 1000 INTO first_at
  FROM pgpu_change c WHERE c.host_id = of_host AND c.at < coalesce(watched, 'infinity');
END $$;
