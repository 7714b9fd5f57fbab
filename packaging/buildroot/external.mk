include $(sort $(wildcard $(BR2_EXTERNAL_NOUND_PATH)/package/*/*.mk))
