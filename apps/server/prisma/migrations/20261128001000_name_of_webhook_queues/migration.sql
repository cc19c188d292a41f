ALTER TABLE "webhook_lanes" RENAME TO "webhook_queues";
ALTER INDEX "webhook_lanes_pkey" RENAME TO "webhook_queues_pkey";
ALTER INDEX "webhook_lanes_by_due_time" RENAME TO "webhook_queues_by_due_time";
