import type { FilterWithHits } from "./filter-store";

export function presentFilter(filter: FilterWithHits) {
  const { filterId, label, pattern, channelIds, action, wordCount, hitCount, createdAt, updatedAt } = filter;
  return {
    filter_id: filterId,
    label,
    ...(pattern === null ? { word_count: wordCount } : { pattern }),
    ...(channelIds.length > 0 && { channel_ids: [...channelIds] }),
    action,
    hit_count: hitCount,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
